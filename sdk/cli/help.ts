import type { AddHelpTextContext } from "commander";

/** Lines of a text that begin with no space. Those that do are examples, to be copied as they are. */
const paragraph = /^\S.*(\n\S.*)*/gm;

/** A text below the options of a command, whose paragraphs are as wide as the rest of the help. */
export function below(text: string): (context: AddHelpTextContext) => string {
  return ({ command, error }) => {
    const { getOutHelpWidth, getErrHelpWidth } = command.configureOutput();
    const width = (error ? getErrHelpWidth : getOutHelpWidth)?.() ?? 80;
    const help = command.createHelp();
    return text.replace(paragraph, (lines) => help.boxWrap(lines.replaceAll("\n", " "), width));
  };
}
