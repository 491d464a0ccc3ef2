# Nobody writes into this pipe.
exec 9<> <(:)
pause() { read -r -t "$1" -u 9; }
