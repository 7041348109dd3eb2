/**
 * Without an engine, podlumi writes what it has to say to standard error. A specification that reads it replaces `write`; that of the
 * others is left out, unless PODLUMI_TEST_OUTPUT is 1.
 */
if (process.env.PODLUMI_TEST_OUTPUT !== "1") {
  const { write } = process.stderr;
  process.stderr.write = () => true;
  afterAll(() => {
    process.stderr.write = write;
  });
}
