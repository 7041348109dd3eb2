// Texts that only the plugin says.

export const servesAnother =
  "this process of podlumi serves another Provider, or an earlier command. Take PULUMI_DEBUG_PROVIDERS away, or give each Provider and each " +
  "command a new process";

export const notInPlace = (names: readonly string[], noun: string) =>
  `a change of ${names.join(", ")} replaces the ${noun}, and nothing was changed: declare the ${noun} in a program, or delete it and ` +
  "create another one";
