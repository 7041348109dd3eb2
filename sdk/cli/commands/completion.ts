import { Argument, type Command } from "commander";
import { oneOfThese } from "../arguments";
import { below } from "../help";
import { print } from "../output";

const examples = `
podlumi has to be on the PATH, as after a global install. With npx instead, each new shell would look for
a package of that name in the registry.

Examples:
  eval "$(podlumi completion bash)"   # in ~/.bashrc
  eval "$(podlumi completion zsh)"    # in ~/.zshrc, after compinit
  podlumi completion fish > ~/.config/fish/completions/podlumi.fish`;

/** `podlumi completion`: completes commands and options in a shell. */
export function completion(program: Command): void {
  program
    .command("completion")
    .description("print a script with which a shell completes commands and options")
    .addArgument(oneOfThese(new Argument("<shell>", "which shell"), ["bash", "zsh", "fish"]))
    .addHelpText("after", below(examples))
    .action((shell: "bash" | "zsh" | "fish") => {
      const bash = forBash(program);
      if (shell === "fish") print(forFish(program));
      else print(shell === "zsh" ? `autoload -U +X bashcompinit && bashcompinit\n${bash}` : bash);
    });
}

/** A command with the words by which it is called: `jobs run`. */
interface Called {
  readonly words: string;
  readonly command: Command;
}

function calledIn(command: Command, before = ""): Called[] {
  return command.commands.flatMap((inner) => {
    const words = `${before}${inner.name()}`;
    return [{ words, command: inner }, ...calledIn(inner, `${words} `)];
  });
}

const choicesOf = (command: Command) =>
  command.registeredArguments.flatMap(({ argChoices = [] }) => argChoices);

const wordsOf = (command: Command) =>
  [
    ...command.commands.map((one) => one.name()),
    ...choicesOf(command),
    ...command.options.flatMap(({ long }) => long ?? []),
    "--help",
  ].join(" ");

/** After an option with a value, its choices are completed, and files where it has none. */
function forBash(program: Command): string {
  const all = calledIn(program);
  const line = (when: string, words: string) => `    ${JSON.stringify(when)}) words="${words}" ;;`;
  const inner = all.filter(({ words }) => words.includes(" ")).map(({ words }) => JSON.stringify(words));
  const values = all.flatMap(({ words, command }) =>
    command.options
      .filter((option) => option.required)
      .flatMap(({ long, short, argChoices = [] }) =>
        [long, short].flatMap((name) => (name ? line(`${words} ${name}`, argChoices.join(" ")) : [])),
      ),
  );
  return `_podlumi() {
  local words what="\${COMP_WORDS[1]}"
  [ "$COMP_CWORD" -eq 1 ] && what=""
  [ "$COMP_CWORD" -gt 2 ] && case "$what \${COMP_WORDS[2]}" in
    ${inner.join("|")}) what="$what \${COMP_WORDS[2]}" ;;
  esac
  case "$what" in
${[line("", wordsOf(program)), ...all.map(({ words, command }) => line(words, wordsOf(command)))].join("\n")}
    *) words="" ;;
  esac
  case "$what \${COMP_WORDS[COMP_CWORD-1]}" in
${values.join("\n")}
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _podlumi podlumi`;
}

function forFish(program: Command): string {
  const quoted = (text: string) => `'${text.replaceAll("'", "\\'")}'`;
  const complete = (words: string, rest: string, next: readonly Command[] = []) => {
    const seen = words.split(" ").map((word) => `__fish_seen_subcommand_from ${word}`);
    if (next.length > 0)
      seen.push(`not __fish_seen_subcommand_from ${next.map((one) => one.name()).join(" ")}`);
    return `complete -c podlumi -n ${quoted(words === "" ? "__fish_use_subcommand" : seen.join("; and "))} ${rest}`;
  };
  const lines = ({ words, command }: Called) => [
    ...command.commands.map((one) =>
      complete(words, `-f -a ${one.name()} -d ${quoted(one.description())}`, command.commands),
    ),
    ...choicesOf(command).map((choice) => complete(words, `-f -a ${choice}`)),
    ...command.options.map(({ long, description, required, argChoices }) =>
      complete(
        words,
        [
          `-l ${long?.slice(2)} -d ${quoted(description)}`,
          ...(required ? ["-r"] : []),
          ...(argChoices ? [`-f -a ${quoted(argChoices.join(" "))}`] : []),
        ].join(" "),
      ),
    ),
  ];
  return [{ words: "", command: program }, ...calledIn(program)].flatMap(lines).join("\n");
}
