import { Argument, type CommandUnknownOpts, type Option } from '@commander-js/extra-typings';
import { exitCodes } from '../core/errors.ts';
import type { Register } from './context.ts';

/** A word that can be typed, with what it means. */
interface Word {
  readonly name: string;
  readonly description: string;
}

/** What can follow the words of a command. */
interface Completable {
  /** The command's words, such as `report run`; empty for the program itself. */
  readonly path: string;
  readonly words: readonly Word[];
  readonly options: readonly Option[];
}

export const registerCompletion: Register = (program, invoke) => {
  program
    .command('completion')
    .addArgument(new Argument('<shell>', 'the shell').choices(['bash', 'zsh', 'fish'] as const))
    .addHelpText(
      'after',
      `
Print the script again after an upgrade.

Examples:
  $ postledger completion bash > ~/.local/share/bash-completion/completions/postledger
  $ postledger completion zsh > ~/.zsh/completions/_postledger    # a folder of $fpath
  $ postledger completion fish > ~/.config/fish/completions/postledger.fish`,
    )
    .action((shell) =>
      invoke(({ output }) => {
        output.write(scripts[shell](listPlaces(program, '')));
        return Promise.resolve(exitCodes.done);
      }),
    );
};

/** Lists the command and those below it. Hidden ones are left out. */
function listPlaces(command: CommandUnknownOpts, path: string): Completable[] {
  const help = command.createHelp();
  const commands = help.visibleCommands(command).filter((below) => below.name() !== 'help');
  const values = command.registeredArguments.flatMap(({ argChoices = [] }) => argChoices);
  const place: Completable = {
    path,
    words: [
      ...commands.map((below) => ({ name: below.name(), description: below.description() })),
      ...values.map((name) => ({ name, description: '' })),
    ],
    options: [...help.visibleOptions(command), ...help.visibleGlobalOptions(command)],
  };
  return [
    place,
    ...commands.flatMap((below) => listPlaces(below, `${path} ${below.name()}`.trim())),
  ];
}

const scripts = { bash: bashScript, zsh: zshScript, fish: fishScript };

function bashScript(places: readonly Completable[]): string {
  const typed = '"${COMP_WORDS[@]:1:COMP_CWORD-1}"';
  return `_postledger() {
${findEntries(places, { typed, previous: '$3', show: ({ name }) => name })}
  COMPREPLY=($(compgen -W "\${entries[*]}" -- "$2"))
}
complete -o default -F _postledger postledger
`;
}

/** The script works both as a file in a folder of $fpath and when it is sourced. */
function zshScript(places: readonly Completable[]): string {
  const typed = '"${(@)words[2,CURRENT-1]}"';
  const show = ({ name, description }: Word) =>
    description === '' ? name : `${name}:${description}`;
  return `#compdef postledger
_postledger() {
${findEntries(places, { typed, previous: '$words[CURRENT-1]', show })}
  if (( $#entries )); then _describe postledger entries; else _files; fi
}
if [ "$funcstack[1]" = _postledger ]; then _postledger "$@"; else compdef _postledger postledger; fi
`;
}

interface Syntax {
  /** The typed words before the one that is completed, and the last of them. */
  readonly typed: string;
  readonly previous: string;
  readonly show: (word: Word) => string;
}

/**
 * Returns the lines, for bash and zsh, that set `entries`. They stay empty after an option whose values are not known,
 * so that files are offered.
 */
function findEntries(places: readonly Completable[], { typed, previous, show }: Syntax): string {
  const arm = (words: string, entries: readonly string[]) =>
    `    '${words}') entries=(${entries.map(quote).join(' ')}) ;;`;
  const valueArms = places.flatMap(({ path, options }) =>
    options
      .filter(takesValue)
      .map(({ long, argChoices = [] }) => arm(`${path} ${long}`, argChoices)),
  );
  const placeArms = places.map(({ path, words, options }) => {
    const flags = options.map(({ long = '', description }) => ({ name: long, description }));
    return arm(path, [...words, ...flags].map(show));
  });
  return `  local place='' word
  local -a entries
  for word in ${typed}; do
    case "$place $word" in
      ${commandPattern(places, '|')}) place="\${place:+$place }$word" ;;
    esac
  done
  case "$place ${previous}" in
${valueArms.join('\n')}
    *) case "$place" in
${placeArms.join('\n')}
    esac ;;
  esac`;
}

function fishScript(places: readonly Completable[]): string {
  const rules = places.flatMap(({ path, words, options }) => {
    const head = `complete -c postledger -n "__postledger_at '${path}'"`;
    return [
      ...words.map(({ name, description }) => `${head} -f -a ${name} -d ${quote(description)}`),
      ...options.map((option) => {
        const { long = '', description, argChoices } = option;
        const values = argChoices ? ` -x -a '${argChoices.join(' ')}'` : '';
        const value = takesValue(option) ? values || ' -r' : '';
        return `${head} -l ${long.slice(2)}${value} -d ${quote(description)}`;
      }),
    ];
  });
  return `function __postledger_at
  set -l place
  for word in (commandline -opc)[2..-1]
    switch "$place $word"
      case ${commandPattern(places, ' ')}
        set place (string trim "$place $word")
    end
  end
  test "$place" = "$argv[1]"
end
${rules.join('\n')}
`;
}

function takesValue({ required, optional }: Option): boolean {
  return required || optional;
}

function quote(text: string): string {
  return `'${text.replaceAll("'", '’')}'`;
}

/** Returns the pattern of a place and a word that make another place: `' run'` or `'report run'`. */
function commandPattern(places: readonly Completable[], separator: string): string {
  const paths = places.flatMap(({ path }) => (path === '' ? [] : [path]));
  return paths.map((path) => (path.includes(' ') ? `'${path}'` : `' ${path}'`)).join(separator);
}
