/** Addresses for the schema of the plugin. A release writes those of the publishing repository into `package.json`; before, there are none. */
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
