/**
 * Stops a pod from within, for any POSIX shell. It starts beside the command, which then takes the shell's place: so the command has the
 * container's signals, input and exit code. All assignments are in subshells, since the command gets the shell's variables. The text has no
 * braces after a dollar sign, which TypeScript would fill in.
 */
export const guardScript = String.raw`# podlumi's guard. $1: what podlumi reads back; $2, $3: the seconds of after and idle, or 0; $4: stop or terminate. The rest is the command.
say() { echo "podlumi self-stop: $*" >&2; }
alive() { [ -d /proc/$$ ]; }
clock() { date +%s; }

# The key goes through standard input: a list of processes shows arguments.
ask() {
  url=https://api.runpod.io/v2/pods/$RUNPOD_POD_ID
  case $action in
    stop) verb=stop; set -- -H "Content-Type: application/json" -d '{"action":"stop"}' "$url/action" ;;
    *) verb=remove; set -- -X DELETE "$url" ;;
  esac
  printf 'header = "Authorization: Bearer %s"\n' "$RUNPOD_API_KEY" |
    curl -fsS -m 30 -o /dev/null -A podlumi-self-stop -K - "$@" ||
    runpodctl $verb pod "$RUNPOD_POD_ID" >&2
}

fire() {
  say "$1: asks the service to $action this pod"
  while alive; do
    if ask; then rm -f "$file"; else say "could not $action this pod, tries again in a minute"; fi
    sleep 60
  done
  exit
}

# Its file tells a restart of the container, after which the time goes on, from a new start of the pod.
limit() {
  began=$(clock) start= last=
  { read -r start last <"$file"; } 2>/dev/null
  case $start:$last in
    *[!0-9:]* | :* | *:) ;;
    *) [ $((began - last)) -lt 120 ] && began=$start ;;
  esac
  while alive; do
    now=$(clock)
    [ $((now - began)) -lt $1 ] || fire "its time of $1 s is over"
    { echo "$began $now" >"$file"; } 2>/dev/null
    sleep 30
  done
}

# All that cannot be read counts as work.
unreadable() {
  [ "$told" = "$1" ] || say "cannot read $1: this pod counts as busy"
  told=$1
}

# Microseconds of CPU time, by version 2 or 1 of control groups.
used() {
  set -- $(cat /sys/fs/cgroup/cpu.stat 2>/dev/null)
  if [ "$1" = usage_usec ]; then echo $2; return; fi
  set -- $(cat /sys/fs/cgroup/cpuacct/cpuacct.usage 2>/dev/null)
  case $1 in "" | *[!0-9]*) ;; *) echo $(($1 / 1000)) ;; esac
}

busy() {
  before=$cpu
  cpu=$(used)
  if [ -z "$before" ] || [ -z "$cpu" ]; then unreadable "the CPU time"; return 0; fi
  [ $((cpu - before)) -lt $((200000 * (now - at))) ] || return 0

  # Read as a whole: some shells read these files byte by byte. Port 22 is 0016, and 01 an open connection.
  tcp=$(cat /proc/net/tcp 2>/dev/null) || { unreadable /proc/net/tcp; return 0; }
  case "$tcp $(cat /proc/net/tcp6 2>/dev/null)" in
    *:0016\ ????????:????\ 01\ * | *:0016\ ????????????????????????????????:????\ 01\ *) return 0 ;;
  esac

  case $RUNPOD_GPU_COUNT in "" | 0) command -v nvidia-smi >/dev/null || return 1 ;; esac
  gpus=$(nvidia-smi --query-gpu=utilization.gpu --format=csv,noheader,nounits 2>/dev/null)
  case $gpus in "" | *[!0-9[:space:]]*) unreadable nvidia-smi; return 0 ;; esac
  for gpu in $gpus; do [ $gpu -le 5 ] || return 0; done
  return 1
}

watch() {
  at=$(clock) since=$at cpu=$(used) told=
  while alive; do
    sleep 30
    now=$(clock)
    # After a gap, as of a clock that was set, nobody has watched.
    if [ $((now - at)) -gt 120 ] || busy; then since=$now; fi
    at=$now
    [ $((now - since)) -lt $1 ] || fire "idle for $1 s"
  done
}

guard() {
  trap "" HUP PIPE
  set -f
  [ -n "$RUNPOD_POD_ID" ] || { say "no RUNPOD_POD_ID here: nothing stops this pod"; return; }
  for tool in date sleep cat; do
    command -v $tool >/dev/null || { say "no $tool here: nothing stops this pod"; return; }
  done
  command -v curl >/dev/null || command -v runpodctl >/dev/null || say "neither curl nor runpodctl here: it will not be able to stop this pod"
  for dir in /workspace /tmp; do [ -w $dir ] && break; done
  file=$dir/.podlumi-self-stop-$RUNPOD_POD_ID action=$3
  [ $1 = 0 ] || limit $1 &
  [ $2 = 0 ] || watch $2 &
}

( guard "$2" "$3" "$4" )
shift 4
exec "$@"
`;
