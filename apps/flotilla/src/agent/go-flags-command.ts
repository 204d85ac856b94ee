import { Command, type ParseOptionsResult } from 'commander';

/** Takes flags with one dash as well as with two, as Go's programs do: manifests that were written for those keep working. */
export class GoFlagsCommand extends Command {
  override parseOptions(args: string[]): ParseOptionsResult {
    return super.parseOptions(args.map(withTwoDashes));
  }
}

/** `-add_dir_header` and `-v=5`; a dash before a number is a sign, and `-h` asks for help. */
function withTwoDashes(arg: string): string {
  return /^-[a-z]/i.test(arg) && arg !== '-h' ? `-${arg}` : arg;
}
