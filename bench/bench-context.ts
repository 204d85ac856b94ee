import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startLoad, type LoadProcess } from './measured/load-process.ts';
import { startFlotilla, startFloor, type MeasuredServer } from './measured/measured-server.ts';
import { memoryMibOf } from './measured/process-usage.ts';

/** Objects in the filled directory. */
export const manyObjects = 50_000;

export interface Bench {
  readonly server: MeasuredServer;
  readonly load: LoadProcess;
}

interface FilledDirectory {
  readonly directory: string;
  /** Memory of the server right after it wrote them. */
  readonly memoryMib: number;
}

/** Gives figures servers, directories and a progress line. `stop` stops and deletes all of them. */
export class BenchContext {
  readonly progress: (text: string) => void;
  readonly #scratch: string;
  readonly #stops: (() => Promise<void> | void)[] = [];
  #filled: Promise<FilledDirectory> | undefined;
  #directories = 0;

  constructor(progress: (text: string) => void, parent = tmpdir()) {
    this.progress = progress;
    this.#scratch = mkdtempSync(join(parent, 'flotilla-bench-'));
  }

  newDirectory(): string {
    const directory = join(this.#scratch, String(++this.#directories), 'data');
    mkdirSync(directory, { recursive: true });
    return directory;
  }

  /** Runs `use` with a server and a load generator, and stops both. */
  async withFlotilla<T>(use: (bench: Bench) => Promise<T>, directory = this.newDirectory()): Promise<T> {
    return this.#with(await startFlotilla(directory), use);
  }

  async withFloor<T>(use: (bench: Bench) => Promise<T>): Promise<T> {
    return this.#with(await startFloor(this.newDirectory()), use);
  }

  /** A data directory with many objects, created once. */
  filledDirectory(): Promise<FilledDirectory> {
    return (this.#filled ??= this.#fill());
  }

  async stop(): Promise<void> {
    for (const stop of this.#stops) await stop();
    rmSync(this.#scratch, { recursive: true, force: true });
  }

  async #with<T>(server: MeasuredServer, use: (bench: Bench) => Promise<T>): Promise<T> {
    this.#stops.push(server.stop);
    const load = await startLoad(server.target);
    try {
      return await use({ server, load });
    } finally {
      load.stop();
      await server.stop();
    }
  }

  async #fill(): Promise<FilledDirectory> {
    const directory = this.newDirectory();
    this.progress(`creating ${manyObjects.toLocaleString('en')} objects`);
    return this.withFlotilla(async ({ server, load }) => {
      await load.run({ work: 'create', kind: 'ConfigMap', prefix: 'many', count: manyObjects, inFlight: 64 });
      return { directory, memoryMib: memoryMibOf(server.pid) };
    }, directory);
  }
}
