/** Pulumi says this beside the errors that it sums up. */
const isSum = /^error: (?:update|preview|destroy) failed\s*$/;

/** An error of a failed command. */
export interface Failure {
  /** The logical name of its resource, or the name of the stack. */
  readonly name: string;
  readonly code: string | undefined;
  readonly text: string;
  /** The commands that it says to run, each as its words. */
  readonly commands: readonly (readonly string[])[];
}

/** The errors that Pulumi lists at the end of a command, without the one that only says that there are some. */
export function failuresIn(printed: string): Failure[] {
  const listed = printed
    .slice(printed.lastIndexOf("\nDiagnostics:\n"))
    .split(/\n(?:Resources|Outputs|Duration):/)[0];
  const [, ...parts] = String(listed).split(/^ {2}\S+ \((.+)\):$/m);
  return parts.flatMap((name, index) => (index % 2 === 0 ? failuresOf(name, String(parts[index + 1])) : []));
}

function failuresOf(name: string, said: string): Failure[] {
  const errors = said
    .split(/^ {4}(?=(?:error|warning|podlumi): )/m)
    .filter((one) => one.startsWith("error: ") && !isSum.test(one));
  return errors.map((error) => {
    // The same error of another request says the same.
    const text = error.trim().replace(/ \[request [^\]]+\]/g, "");
    const commands = [...text.matchAll(/`((?:npx podlumi|pulumi) [^`]+)`/g)].map(([, command]) =>
      words(String(command)),
    );
    return { name, code: /\[(PODLUMI-[A-Z-]+)\]$/.exec(text)?.[1], text, commands };
  });
}

function words(command: string): string[] {
  return [...command.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(([, single, double, bare]) =>
    String(single ?? double ?? bare),
  );
}
