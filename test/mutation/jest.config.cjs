const { transform, setupFilesAfterEnv } = require("../../jest.config.js").projects[0];

/** The quick specifications of the core. They start no engine, so they need none of its set-up. */
module.exports = {
  rootDir: "../..",
  testMatch: [
    "<rootDir>/test/provider/{adopt,another-owner,check,check-endpoint,check-pod,did-you-mean,expectation,read,readme,references,value}.spec.ts",
  ],
  transform,
  setupFilesAfterEnv,
};
