# Each sleep is a process of its own. The log is in µs of the wall clock: a shell has no other.
rows=
for ((at = 0; at < $2; at++)); do
    start=$EPOCHREALTIME
    sleep 0.005
    rows+="5000000,${start/./}000,${EPOCHREALTIME/./}000"$'\n'
done
printf %s "$rows" >"$1"
