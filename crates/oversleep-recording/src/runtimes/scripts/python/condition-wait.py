import threading

condition = threading.Condition()


def sleep(seconds):
    with condition:
        condition.wait(seconds)
