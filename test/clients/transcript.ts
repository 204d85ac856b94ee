/**
 * A recorded scenario as text: each command after `$ `, its exit code after `= ` unless it is 0, its standard output after `| `,
 * its standard error after `! `. A checksum in the head reveals edits.
 */
import { createHash } from 'node:crypto';

export interface Outcome {
  readonly command: string;
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Recording {
  /** The recorded scenario and server. */
  readonly origin: string;
  /** One block of lines for each command. */
  readonly blocks: readonly string[];
}

const noNewline = '(no newline at the end)';

export function formatOutcome({ command, exitCode, stdout, stderr }: Outcome): string {
  const exit = exitCode === 0 ? [] : [`= ${exitCode}`];
  return [`$ ${command}`, ...exit, ...prefixed('|', stdout), ...prefixed('!', stderr)].join('\n');
}

function prefixed(prefix: string, text: string): string[] {
  if (text === '') return [];
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  else lines.push(noNewline);
  return lines.map((line) => (line === '' ? prefix : `${prefix} ${line}`));
}

export function commandOf(block: string): string {
  return block.slice('$ '.length).split('\n', 1)[0] ?? '';
}

export function formatRecording({ origin, blocks }: Recording): string {
  const body = blocks.map((block) => `${block}\n`).join('\n');
  return `# ${origin}\n# Made by record.ts, never by hand. sha256:${checksum(body)}\n\n${body}`;
}

export function parseRecording(text: string): Recording {
  const match = /^# (.*)\n# .* sha256:([\da-f]{64})\n\n/.exec(text);
  if (match === null) throw new Error('this is not a recording');
  const body = text.slice(match[0].length);
  if (checksum(body) !== match[2]) throw new Error('this recording was edited by hand; record it again');
  return { origin: match[1] ?? '', blocks: body.trimEnd().split(/\n\n(?=\$ )/) };
}

function checksum(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
