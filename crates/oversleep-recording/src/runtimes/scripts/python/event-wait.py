import threading

sleep = threading.Event().wait
