/**
 * A program on a screen of tmux, for programs that paint all of it. Keys are typed as a user would; the screen is read when the program
 * has written something. For programs that write lines, `../terminal-process.ts` needs no tmux.
 */
import { execFile, spawn } from 'node:child_process';
import { promisify } from 'node:util';

export class Screen implements AsyncDisposable {
  readonly #socket: string;
  readonly #tmux: ReturnType<typeof spawn>;
  #written = Promise.withResolvers<void>();

  constructor(socket: string, program: readonly string[], env: NodeJS.ProcessEnv) {
    this.#socket = socket;
    const size = ['-x', '180', '-y', '45'];
    // Control mode: tmux reports what the program writes.
    this.#tmux = spawn('tmux', ['-S', socket, '-C', 'new-session', ...size, ...program], {
      env,
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    this.#tmux.stdout?.on('data', () => {
      this.#written.resolve();
      this.#written = Promise.withResolvers();
    });
  }

  async type(...keys: string[]): Promise<void> {
    await this.#run('send-keys', ...keys);
  }

  /** Resolves with the screen as soon as it matches. The caller's timeout ends a wait in vain. */
  async until(pattern: RegExp): Promise<string> {
    for (;;) {
      const { promise } = this.#written;
      const screen = await this.#run('capture-pane', '-p').catch(() => '');
      if (pattern.test(screen)) return screen;
      await promise;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#run('kill-server').catch(() => undefined);
    this.#tmux.kill();
  }

  async #run(...args: string[]): Promise<string> {
    return (await promisify(execFile)('tmux', ['-S', this.#socket, ...args])).stdout;
  }
}
