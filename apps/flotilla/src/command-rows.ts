import type { Command } from 'commander';
import type { WithSession } from './session/lazy-session.ts';

/** One command in the list of `flotilla --help`. */
export interface CommandRow {
  readonly name: string;
  readonly group: string;
  readonly summary: string;
  readonly load: (withSession: WithSession) => Promise<Command>;
}

type Row = Omit<CommandRow, 'group'>;

const running: readonly Row[] = [
  {
    name: 'up',
    summary: 'Run a fleet in one process: a hub, and simulated clusters.',
    load: async () => (await import('./commands/up.ts')).upCommand(),
  },
  {
    name: 'down',
    summary: 'Stop a fleet that "flotilla up" runs.',
    load: async () => (await import('./commands/down.ts')).downCommand(),
  },
  {
    name: 'hub',
    summary: 'Run a hub, or its controllers against an existing server.',
    load: async () => (await import('./commands/hub.ts')).hubCommand(),
  },
  {
    name: 'join',
    summary: 'Register a cluster with a hub.',
    load: async () => (await import('./commands/join.ts')).joinCommand(),
  },
  {
    name: 'leave',
    summary: 'Remove a cluster from a hub.',
    load: async () => (await import('./commands/leave.ts')).leaveCommand(),
  },
  {
    name: 'agent',
    summary: 'Run the agent of one member.',
    load: async () => (await import('./commands/agent.ts')).agentCommand(),
  },
  {
    name: 'apiserver',
    summary: 'Run a Kubernetes-compatible API server alone.',
    load: async () => (await import('./commands/apiserver.ts')).apiserverCommand(),
  },
  {
    name: 'envtest',
    summary: 'Run test suites of controllers on servers of Flotilla.',
    load: async () => (await import('./commands/envtest.ts')).envtestCommand(),
  },
];

const asking: readonly Row[] = [
  {
    name: 'status',
    summary: 'Print the fleet at a glance, and what is stuck.',
    load: async (withSession) => (await import('./commands/status.ts')).statusCommand(withSession),
  },
  {
    name: 'why',
    summary: 'Explain which clusters a placement has chosen, and why.',
    load: async (withSession) => (await import('./commands/why.ts')).whyCommand(withSession),
  },
  {
    name: 'tree',
    summary: 'Print a placement and all that has become of it.',
    load: async (withSession) => (await import('./commands/tree.ts')).treeCommand(withSession),
  },
  {
    name: 'logs',
    summary: 'Print the log of a fleet in the background.',
    load: async () => (await import('./commands/logs.ts')).logsCommand(),
  },
];

const objects: readonly Row[] = [
  {
    name: 'get',
    summary: 'List objects.',
    load: async (withSession) => (await import('./commands/get.ts')).getCommand(withSession),
  },
  {
    name: 'describe',
    summary: 'Print all fields and events of objects.',
    load: async (withSession) => (await import('./commands/describe.ts')).describeCommand(withSession),
  },
  {
    name: 'apply',
    summary: 'Create or change the objects in files.',
    load: async (withSession) => (await import('./commands/apply.ts')).applyCommand(withSession),
  },
  {
    name: 'delete',
    summary: 'Delete objects, and wait until they are gone.',
    load: async (withSession) => (await import('./commands/delete.ts')).deleteCommand(withSession),
  },
];

const keeping: readonly Row[] = [
  {
    name: 'member',
    summary: 'Break simulated members on purpose, and repair them.',
    load: async () => (await import('./commands/member.ts')).memberCommand(),
  },
  {
    name: 'backup',
    summary: 'Copy a data directory to a file.',
    load: async () => (await import('./commands/backup.ts')).backupCommand(),
  },
  {
    name: 'restore',
    summary: 'Restore a backup to an empty data directory.',
    load: async () => (await import('./commands/restore.ts')).restoreCommand(),
  },
  {
    name: 'uninstall',
    summary: 'Remove what a hub has installed on a server.',
    load: async () => (await import('./commands/uninstall.ts')).uninstallCommand(),
  },
  {
    name: 'types',
    summary: 'Print TypeScript types of custom resources.',
    load: async () => (await import('./commands/types.ts')).typesCommand(),
  },
  {
    name: 'completion',
    summary: 'Print a script that completes commands in a shell.',
    load: async () => (await import('./commands/completion.ts')).completionCommand(),
  },
  {
    name: 'version',
    summary: 'Print the versions of the program and the server.',
    load: async (withSession) => (await import('./commands/version.ts')).versionCommand(withSession),
  },
];

/** Every command, in the order of the help. */
export const commandRows: readonly CommandRow[] = [
  ...running.map((row) => ({ ...row, group: 'Run:' })),
  ...asking.map((row) => ({ ...row, group: 'Ask:' })),
  ...objects.map((row) => ({ ...row, group: 'Objects:' })),
  ...keeping.map((row) => ({ ...row, group: 'Maintain:' })),
];
