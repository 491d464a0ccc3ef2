const { setTimeout: sleep } = require("node:timers/promises");
