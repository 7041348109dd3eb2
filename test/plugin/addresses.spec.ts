const { addressesOf } = require("../../provider/bundle/addresses.cjs") as {
  addressesOf(manifest: object): object;
};

test("the schema of a release says where it is from, by the addresses in its package.json", () => {
  const repository = { type: "git", url: "git+https://forge.example/team/podlumi.git" };
  const homepage = "https://forge.example/team/podlumi#readme";
  expect(addressesOf({ version: "1.2.3", homepage, repository })).toEqual({
    homepage,
    repository: "https://forge.example/team/podlumi",
    logoUrl: "https://forge.example/team/podlumi/raw/v1.2.3/sdk/emulator/service/page/client/icon.svg",
  });
  expect(addressesOf({ version: "1.2.3" })).toEqual({});
});
