import { Argument, type Command } from "commander";
import { oneOfThese } from "../arguments";
import { print } from "../output";

const examples = `
Examples:
  eval "$(npx podlumi completion bash)"                  # in ~/.bashrc, where podlumi is on the PATH
  eval "$(npx podlumi completion zsh)"                   # in ~/.zshrc, after compinit
  npx podlumi completion fish > ~/.config/fish/completions/podlumi.fish`;

/** `podlumi completion`: completes commands and options in a shell. */
export function completion(program: Command): void {
  program
    .command("completion")
    .description("print a script with which a shell completes commands and options")
    .addArgument(oneOfThese(new Argument("<shell>", "which shell"), ["bash", "zsh", "fish"]))
    .addHelpText("after", examples)
    .action((shell: "bash" | "zsh" | "fish") => {
      const bash = forBash(program);
      if (shell === "fish") print(forFish(program));
      else print(shell === "zsh" ? `autoload -U +X bashcompinit && bashcompinit\n${bash}` : bash);
    });
}

const optionsOf = (command: Command) => [...command.options.flatMap(({ long }) => long ?? []), "--help"];
const wordsOf = (command: Command) => [
  ...command.commands.map((one) => one.name()),
  ...command.registeredArguments.flatMap(({ argChoices = [] }) => argChoices),
  ...optionsOf(command),
];

function forBash(program: Command): string {
  const cases = program.commands.map(
    (command) => `    ${command.name()}) words="${wordsOf(command).join(" ")}" ;;`,
  );
  return `_podlumi() {
  local words
  case "\${COMP_WORDS[1]}" in
${cases.join("\n")}
    *) words="" ;;
  esac
  [ "$COMP_CWORD" -eq 1 ] && words="${wordsOf(program).join(" ")}"
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _podlumi podlumi`;
}

function forFish(program: Command): string {
  const quoted = (text: string) => `'${text.replaceAll("'", "\\'")}'`;
  const commands = program.commands.map(
    (command) =>
      `complete -c podlumi -n __fish_use_subcommand -f -a ${command.name()} -d ${quoted(command.description())}`,
  );
  const options = program.commands.flatMap((command) =>
    command.options.map(
      ({ long, description }) =>
        `complete -c podlumi -n ${quoted(`__fish_seen_subcommand_from ${command.name()}`)} -l ${long?.slice(2)} -d ${quoted(description)}`,
    ),
  );
  return [...commands, ...options].join("\n");
}
