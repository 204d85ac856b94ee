/**
 * Runs programs in a terminal, with `script` of util-linux: Node has none. Tests read every byte that a program writes. For programs that
 * paint a whole screen, `clients/screen.ts` shows what a user sees of it.
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';

export const hasTerminals = spawnSync('script', ['-qec', 'true', '/dev/null']).status === 0;

interface TerminalOptions {
  readonly columns: number;
  readonly rows?: number;
  readonly env: NodeJS.ProcessEnv;
  readonly cwd?: string;
}

/** A shell command in a terminal of its own. */
export class TerminalProcess {
  output = '';
  readonly ended: Promise<void>;
  readonly #type: (keys: string) => void;
  #changed = Promise.withResolvers<void>();

  constructor(command: string, { columns, rows = 50, env, cwd }: TerminalOptions) {
    const sized = `stty cols ${columns} rows ${rows}; ${command}`;
    const options = { env: { TERM: 'xterm', ...env }, ...(cwd !== undefined && { cwd }) };
    const child = spawn('script', ['-qec', sized, '/dev/null'], { stdio: 'pipe', ...options });
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      this.output += text;
      this.#changed.resolve();
    });
    this.#type = (keys) => void child.stdin.write(keys);
    this.ended = once(child, 'close').then(() => this.#changed.resolve());
  }

  /** As if a user pressed these keys. */
  type(keys: string): void {
    this.#type(keys);
  }

  /** Resolves when the terminal has shown the text, or fails when the command has ended without it. */
  async shows(text: string): Promise<void> {
    let hasEnded = false;
    void this.ended.then(() => (hasEnded = true));
    while (!this.output.includes(text)) {
      if (hasEnded) throw new Error(`the terminal has not shown ${text}, but ${this.output}`);
      await this.#changed.promise;
      this.#changed = Promise.withResolvers();
    }
  }
}

const escape = '\u001B[';

/** What the terminal shows, line by line, without colours. */
export function linesIn(output: string): string[] {
  const [first = '', ...rest] = output.split(escape);
  const text = first + rest.map((part) => part.replace(/^[0-9;?]*[A-Za-z]/, '')).join('');
  return text.split('\r\n');
}

export function hasColours(output: string): boolean {
  return output.split(escape).some((part) => /^[0-9;]+m/.test(part));
}
