import { kinds, provider } from "./process";

test.each(kinds)("a %s that a program gets and that does not exist is an error with the id", async (kind) => {
  await expect(provider()[kind].read?.("no-such-id", {})).rejects.toThrow(
    /there is no .* with the id "no-such-id" in this account/,
  );
});
