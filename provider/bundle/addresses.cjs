/**
 * What the schema of the plugin says about where podlumi is from. `package.json` alone has the addresses, into which a release writes
 * those of the repository that publishes; without them, there is nothing to say.
 */
exports.addressesOf = ({ homepage, repository, version }) => {
  const home = (repository?.url ?? repository)?.replace(/^git\+/, "").replace(/\.git$/, "");
  return {
    ...(homepage !== undefined && { homepage }),
    ...(home !== undefined && {
      repository: home,
      logoUrl: `${home}/raw/v${version}/sdk/emulator/service/page/client/icon.svg`,
    }),
  };
};
