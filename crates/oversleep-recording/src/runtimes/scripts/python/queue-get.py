import queue

nothing = queue.Queue()


def sleep(seconds):
    try:
        nothing.get(timeout=seconds)
    except queue.Empty:
        pass
