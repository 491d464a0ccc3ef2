from time import sleep
