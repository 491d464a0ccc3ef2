def pause(seconds)
  sleep(seconds)
end
