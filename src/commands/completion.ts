import { dirname } from 'node:path';
import { Argument, type CommandUnknownOpts, type Option } from '@commander-js/extra-typings';
import type { Config } from '../config/config.ts';
import { reportFormats } from '../config/reports-schema.ts';
import { exitCodes } from '../core/errors.ts';
import {
  builtInReports,
  examineReports,
  listReportNames,
  userReports,
} from '../report/report-catalog.ts';
import type { CommandContext, Register } from './context.ts';

export const register: Register = (program, invoke) => {
  program
    .command('completion')
    .addArgument(new Argument('<shell>', 'the shell').choices(['bash', 'zsh', 'fish'] as const))
    .addHelpText(
      'after',
      `
Offers commands, options, and values such as the jobs, clients and reports of the config file.

Examples:
  $ postledger completion bash > ~/.local/share/bash-completion/completions/postledger
  $ postledger completion zsh > ~/.zsh/completions/_postledger    # a folder of $fpath
  $ postledger completion fish > ~/.config/fish/completions/postledger.fish`,
    )
    .action((shell) =>
      invoke(({ output }) => {
        output.write(scripts[shell]);
        return Promise.resolve(exitCodes.done);
      }),
    );
};

/* The scripts ask the program that is typed. Where it offers nothing, they offer files. */

const bash = `_postledger() {
  local word quoted
  COMPREPLY=()
  while IFS= read -r word; do
    printf -v quoted %q "\${word%%$'\\t'*}"
    COMPREPLY+=("$quoted")
  done < <("\${COMP_WORDS[0]}" complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -o default -F _postledger postledger
`;

/** The script works both as a file in a folder of $fpath and when it is sourced. */
const zsh = `#compdef postledger
_postledger() {
  local -a entries
  entries=(\${(f)"$("\${words[1]}" complete -- "\${(@Q)words[2,CURRENT]}" 2>/dev/null)"})
  entries=("\${(@)entries//:/\\\\:}")
  entries=("\${(@)entries/$'\\t'/:}")
  if (( $#entries )); then _describe postledger entries; else _files; fi
}
if [ "$funcstack[1]" = _postledger ]; then _postledger "$@"; else compdef _postledger postledger; fi
`;

const fish = `function __postledger_complete
  set -l words (commandline -opc) (commandline -ct)
  set -l found ($words[1] complete -- $words[2..-1] 2>/dev/null)
  if set -q found[1]
    printf '%s\\n' $found
  else
    __fish_complete_path (commandline -ct)
  end
end
complete -c postledger -f -a '(__postledger_complete)'
`;

const scripts = { bash, zsh, fish };

/** A word that can be typed, with what it means. */
interface Word {
  readonly name: string;
  readonly description: string;
}

/** The command that the scripts call with the words that are typed. It has those commands that the words name. */
const registerComplete: Register = (program, invoke) => {
  program
    .command('complete', { hidden: true })
    .argument('[word...]')
    .action((typed) => {
      const config = typed[typed.indexOf('--config') + 1];
      if (typed.includes('--config') && config !== undefined)
        program.setOptionValue('config', config);
      return invoke(async (context) => {
        const begun = typed.at(-1) ?? '';
        const words = await wordsAfter(program, typed.slice(0, -1), begun, context);
        for (const { name, description } of words.filter(({ name }) => name.startsWith(begun)))
          context.output.write(`${description === '' ? name : `${name}\t${description}`}\n`);
        return exitCodes.done;
      });
    });
};

export const complete = { register: registerComplete };

/** Lists what can follow the words before. @param begun the word that is completed */
async function wordsAfter(
  program: CommandUnknownOpts,
  before: readonly string[],
  begun: string,
  context: CommandContext,
): Promise<Word[]> {
  let command = program;
  let option: Option | undefined;
  const operands: string[] = [];
  for (const word of before) {
    const isValue = option !== undefined;
    option = isValue
      ? undefined
      : optionsOf(command).find((each) => [each.short, each.long].includes(word));
    if (isValue || option) {
      if (!(option?.required || option?.optional)) option = undefined;
      continue;
    }
    const below = command.commands.find((each) => each.name() === word);
    if (below) command = below;
    else operands.push(word);
  }
  const { registeredArguments: args } = command;
  const named = args[operands.length] ?? (args.at(-1)?.variadic ? args.at(-1) : undefined);
  const name = option?.long ?? named?.name() ?? '';
  const choices = (option ?? named)?.argChoices ?? (await valuesOf(name, operands, begun, context));
  const values = choices.map((value) => ({ name: value, description: '' }));
  if (option) return values;
  const commands = command.createHelp().visibleCommands(command);
  return [
    ...commands.map((each) => ({ name: each.name(), description: each.description() })),
    ...values,
    ...optionsOf(command).map(({ long = '', description }) => ({ name: long, description })),
  ];
}

function optionsOf(command: CommandUnknownOpts): Option[] {
  const help = command.createHelp();
  return [...help.visibleOptions(command), ...help.visibleGlobalOptions(command)];
}

/** The values of an option or argument. A config file with mistakes has none. */
async function valuesOf(
  name: string,
  operands: readonly string[],
  begun: string,
  { configFile, loadConfig }: CommandContext,
): Promise<readonly string[]> {
  const folders = [builtInReports, userReports(dirname(configFile))];
  const configured = async (list: (config: Config) => Iterable<string>) => {
    const config = await loadConfig({ mayBeErasing: true }).catch(() => null);
    return config ? [...list(config)] : [];
  };
  switch (name) {
    case '--format':
      // formats may be a list, whose last item is completed
      return reportFormats.map((format) => begun.replace(/[^,]*$/, format));
    case 'name':
    case 'what':
      return listReportNames(folders);
    case '--section': {
      const { reports } = await examineReports(folders);
      const asked = [...reports.values()].filter((report) => operands.includes(report.name));
      return [...new Set(asked.flatMap(({ sections }) => sections.map((section) => section.name)))];
    }
    case 'job':
    case '--job':
      return configured(({ jobs }) => jobs.keys());
    case 'client':
    case '--for':
      return configured(({ clients }) => clients.keys());
    case '--workspace':
      return configured(({ workspaces }) => workspaces.keys());
    case '--profile':
      return configured(({ workspaces }) =>
        [...workspaces.values()].flatMap(({ key, profiles }) =>
          profiles.map((profile) => `${key}/${profile.name}`),
        ),
      );
    default:
      return [];
  }
}
