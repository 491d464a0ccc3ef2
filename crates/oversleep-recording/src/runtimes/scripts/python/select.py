import select


def sleep(seconds):
    select.select([], [], [], seconds)
