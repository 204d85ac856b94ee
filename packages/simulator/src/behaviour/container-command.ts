import type { Container } from '../kinds.ts';
import { matchesImage } from './image-pattern.ts';

/** How a container ends by itself. */
export interface ContainerExit {
  readonly code: number;
  /** How long it runs before that. */
  readonly afterMs: number;
}

const shells = new Set(['sh', 'bash', 'ash', 'dash']);

/** `sleep 5`, `exit 1`, `true`, `sleep 5; exit 1`, `sleep 5 && false`. */
const scriptPattern = /^(?:sleep ([^\s;&]+))?(?:\s*(?:;|&&)\s*)?(?:exit (\d{1,3})|(true|false))?\s*;?$/;

/**
 * What a few plain commands do: those that only wait, or end with a code. Undefined for all others: nothing runs here, so
 * what they would do is not known.
 */
export function exitOfCommand({
  command = [],
  args = [],
  image = '',
}: Readonly<Container>): ContainerExit | 'never' | undefined {
  const [program = '', ...rest] = [...command, ...args];
  if (program === '' && matchesImage('pause', image)) return 'never';
  const name = program.slice(program.lastIndexOf('/') + 1);
  if (shells.has(name)) return rest.length === 2 && rest[0] === '-c' ? exitOfScript(rest[1] ?? '') : undefined;
  if (name === 'pause' && rest.length === 0) return 'never';
  return name === 'sleep' || rest.length === 0 ? exitOfScript([name, ...rest].join(' ')) : undefined;
}

function exitOfScript(script: string): ContainerExit | 'never' | undefined {
  if (script.length > 300) return undefined;
  const text = script.trim().replaceAll(/\s+/g, ' ');
  if (text === '') return undefined;
  const parts = scriptPattern.exec(text);
  if (parts === null) return undefined;
  const [, sleep, exit, word] = parts;
  const seconds = sleep === undefined ? 0 : secondsOf(sleep);
  if (seconds === undefined) return undefined;
  if (seconds === Infinity) return 'never';
  return { code: word === 'false' ? 1 : Number(exit ?? 0) & 255, afterMs: seconds * 1000 };
}

const unitSeconds: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 };

function secondsOf(text: string): number | undefined {
  if (text === 'infinity' || text === 'inf') return Infinity;
  const [, number, unit = 's'] = /^(\d{1,9}(?:\.\d{1,3})?)([smhd])?$/.exec(text) ?? [];
  return number === undefined ? undefined : Number(number) * (unitSeconds[unit] ?? 1);
}
