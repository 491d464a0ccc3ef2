const sleep = (ms) => new Promise((wake) => setTimeout(wake, ms));
