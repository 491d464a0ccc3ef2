pause() { sleep "$1"; }
