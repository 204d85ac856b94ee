import { Command, type ParseOptionsResult } from 'commander';

/** Accepts flags with one dash or two, as Go programs do, so that manifests of KubeFleet's agents keep working. */
export class GoFlagsCommand extends Command {
  override parseOptions(args: string[]): ParseOptionsResult {
    return super.parseOptions(args.map(withTwoDashes));
  }
}

/** `-add_dir_header` and `-v=5` get a second dash. Negative numbers and `-h` stay as they are. */
function withTwoDashes(arg: string): string {
  return /^-[a-z]/i.test(arg) && arg !== '-h' ? `-${arg}` : arg;
}
