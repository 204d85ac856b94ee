/** Pages that show commands and what they print. */
import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';

export interface ShownCommand {
  readonly command: string;
  readonly lines: readonly string[];
}

/** The commands in the blocks of a page, and what stands below each. `prompt` is left out: `$ `, or with the program. */
export function shownCommands(page: string, prompt: string): ShownCommand[] {
  return [...page.matchAll(/```console\n([\s\S]*?)```/g)].flatMap(([, block = '']) => commandsIn(block, prompt));
}

export function commandsIn(block: string, prompt: string): ShownCommand[] {
  return `\n${block}`
    .split(`\n${prompt}`)
    .slice(1)
    .map((text) => {
      const [command = '', ...lines] = text.trimEnd().split('\n');
      return { command, lines };
    });
}

/** Ages depend on how long the hub takes. */
export function withoutAges(lines: readonly string[]): string[] {
  return lines.map((line) => line.replace(/\b\d+[ms](?:\d+s)?\b/, 'AGE').replaceAll(/ {2,}/g, '  '));
}

/** A kubelet alternates between these states. */
const failedPull = /\b(?:ErrImagePull|ImagePullBackOff)\b/;

/** Addresses, generated names and times of objects differ between two runs, too. */
export function withoutIdentity(lines: readonly string[]): string[] {
  const varying =
    /https:\/\/\S+(?=:)|(?<=-)[0-9a-f]{8}\b|^ {2}(?:Creation Timestamp|Resource Version|UID):.*$|(?<=(?:^|\bpod )\S+-[0-9a-z]{8,10}-)[0-9a-z]{5}\b/;
  return withoutAges(lines.map((line) => line.replace(varying, 'VARIES').replace(failedPull, 'ErrImagePull')));
}

const maxLooks = 40;

/** Runs commands one after another; each prints what its page shows. One that only looks is repeated until the fleet has followed. */
export async function playCommands(
  commands: readonly ShownCommand[],
  run: (command: string) => Promise<string>,
  isLook: (command: string) => boolean,
): Promise<void> {
  const print = async (command: string): Promise<string[]> =>
    withoutIdentity((await run(command)).trimEnd().split('\n'));
  for (const { command, lines } of commands) {
    const wanted = withoutIdentity(lines);
    let printed = await print(command);
    for (let looks = 1; isLook(command) && !isDeepStrictEqual(printed, wanted) && looks < maxLooks; looks++) {
      printed = await print(command);
    }
    assert.deepEqual(printed, wanted, `$ ${command}`);
  }
}
