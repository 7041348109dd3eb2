# Destroys the environment of one pull or merge request, and removes its stack: bash close.sh pr-7
set -euo pipefail
stack=$1

cp Pulumi.branch.yaml "Pulumi.$stack.yaml"
pulumi stack select --create "$stack"
# What a cancelled run left may use what the stack has; what a late answer made comes after it.
marks=$(npx --no-install podlumi ls --stack "$stack" --marks)
npx --no-install podlumi sweep --stack "$stack" --mark "$marks" --yes || true
pulumi destroy --stack "$stack" --yes --non-interactive --remove
npx --no-install podlumi sweep --stack "$stack" --mark "$marks" --yes
