import { extname } from 'node:path';
import { MessageChannel, Worker, type MessagePort } from 'node:worker_threads';
import { createClient, inProcessTransport, PortCaller, servePort } from '@flotilla/client';
import { administrator, errorMessage, silentLogger, type Logger } from '@flotilla/kube';
import { systemClock } from '@flotilla/timing';
import type { MemberFaults } from '../faults/member-faults.ts';
import type { MemberShape } from '../file/fleet-shape.ts';
import { prepareMember } from '../shape/register-member.ts';
import type { RunningHub } from '../start-hub.ts';
import type { RunningMember } from '../start-member.ts';
import type { MemberFunctions, MemberThreadStart } from './member-functions.ts';
import { levelsOf, logFromPort } from './port-logger.ts';
import { ThreadCalls } from './thread-calls.ts';

/** The worker has the extension of this file: `.ts` in the sources, another in a bundle. */
const program = new URL(`./member-thread-worker${extname(import.meta.url)}`, import.meta.url);

const ended = 'the thread of the members has ended';

interface OpenedThread {
  readonly hub: RunningHub;
  readonly members: PortCaller;
}

/** A thread with embedded members. It loads its code at once, and waits for the hub. */
export class MemberThread {
  readonly #worker: Worker;
  readonly #calls: ThreadCalls<MemberFunctions>;
  readonly #ports: Readonly<Record<'hub' | 'members', MessagePort>>;
  readonly #opened = Promise.withResolvers<OpenedThread>();
  #isStopping = false;
  #hasEnded = false;
  /** Members that run in it or are about to. */
  size = 0;

  constructor(logger: Logger = silentLogger) {
    const [hub, members] = [new MessageChannel(), new MessageChannel()];
    const [calls, log] = [new MessageChannel(), new MessageChannel()];
    const theirs: MemberThreadStart = {
      hub: hub.port2,
      members: members.port2,
      calls: calls.port2,
      log: { port: log.port2, levels: levelsOf(logger) },
    };
    const transferList = [hub.port2, members.port2, calls.port2, log.port2];
    this.#worker = new Worker(program, { workerData: theirs, transferList });
    this.#worker.on('error', (error) => logger.error(ended, { error: errorMessage(error) }));
    this.#worker.on('exit', (code) => {
      this.#hasEnded = true;
      if (!this.#isStopping) logger.error(`${ended}; start the fleet again`, { code });
    });
    this.#ports = { hub: hub.port1, members: members.port1 };
    this.#calls = new ThreadCalls(calls.port1, ended);
    logFromPort(log.port1, logger);
  }

  /** The hub has started. */
  async open(hub: RunningHub): Promise<void> {
    const { handle, address, authority, secret } = hub.server.embedding;
    const { turns } = hub.server;
    servePort(this.#ports.hub, () => handle, turns);
    this.#opened.resolve({ hub, members: new PortCaller(this.#ports.members, turns) });
    const { port, memberFinalizers } = hub;
    await this.#calls.call('open', { address, port, authority, secret, memberFinalizers });
  }

  /** Registers the member with the hub and starts it. */
  async start(shape: MemberShape, faults: MemberFaults): Promise<RunningMember> {
    const { name } = shape;
    const { hub, members } = await this.#opened.promise;
    const calls = this.#calls;
    const handle = members.handlerOf(name);
    await prepareMember(hub, shape);
    const close = hub.server.embedding.routes.add(name, {
      handle,
      authenticate: (_proof, authorization, target) => calls.call('authenticate', { name, authorization, target }),
    });
    let current = faults;
    const { turns } = hub.server;
    try {
      const { url, access } = await calls.call('start', { shape, faults });
      return {
        name,
        url,
        access,
        client: (user = administrator) =>
          createClient(inProcessTransport(handle, user), { clock: systemClock, turns, userAgent: 'flotilla' }),
        faults: () => current,
        setFaults: async (next) => {
          await calls.call('setFaults', { name, faults: next });
          current = next;
        },
        // The thread may have begun something that is not known here.
        isAtRest: () => false,
        stop: async () => {
          close();
          if (!this.#hasEnded) await calls.call('stop', name);
        },
      };
    } catch (error) {
      close();
      throw error;
    }
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    await this.#worker.terminate();
  }
}
