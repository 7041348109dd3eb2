# Destroys the environment of one pull or merge request, and removes its stack: bash close.sh pr-7
set -euo pipefail
stack=$1

stacks=$(pulumi stack ls --json | node --print 'JSON.parse(fs.readFileSync(0)).map(({ name }) => name.split("/").at(-1)).join("\n")')
if ! grep -qxF -- "$stack" <<< "$stacks"; then
  echo "nothing to close: there is no stack $stack"
  exit
fi

cp Pulumi.branch.yaml "Pulumi.$stack.yaml"
pulumi stack select "$stack"
# Fails while another run has the stack: what that is creating, the sweep would take for what a cancelled run left.
pulumi refresh --stack "$stack" --yes --skip-pending-creates --non-interactive
# What a cancelled run left may use what the stack has; what a late answer made comes after it.
marks=$(npx --no-install podlumi ls --stack "$stack" --marks)
npx --no-install podlumi sweep --stack "$stack" --mark "$marks" --yes || true
pulumi destroy --stack "$stack" --yes --non-interactive
npx --no-install podlumi sweep --stack "$stack" --mark "$marks" --yes
# Last, so that a close that failed can be run again.
pulumi stack rm --stack "$stack" --yes
