import { programOf } from "../../sdk/cli/generate/account-program";
import type { Found } from "../../sdk/cli/generate/observe";

test.each(["constructor", "toString", "valueOf", "__proto__"])(
  "a secret called %s without a value in --values is read",
  (name) => {
    const secret: Found = { kind: "Secret", id: "s1", name, observed: { name } };
    const { declared } = programOf([secret], { values: new Map(), known: true, adopt: false });
    expect(declared[0]?.declaration).toMatchObject({ readId: "s1", args: {} });
  },
);
