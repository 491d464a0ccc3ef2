# Every shell probe ends with this part, which implements oversleep's protocol; `pause seconds` precedes it.
# bash gives only the wall clock, in microseconds, so a handshake relates it to oversleep's clock.
now() { REPLY=${EPOCHREALTIME/[.,]/}000; }

now
cost=$REPLY
now
cost=$((REPLY - cost))
echo "# oversleep-probe 1 clock=own mode=sleep cost_ns=$cost runtime=Bash ${BASH_VERSION%%(*}"
while read -r request count; do
    if [ "$request" = anchor ]; then
        now
        echo "# anchor $REPLY"
        continue
    fi
    printf -v seconds '%d.%09d' $((request / 1000000000)) $((request % 1000000000))
    rows=
    for ((n = 0; n < count; n++)); do
        now
        start=$REPLY
        pause "$seconds"
        now
        rows+="$request,$start,$REPLY"$'\n'
    done
    printf 'requested_ns,start_ns,end_ns\n%s\n' "$rows"
done
