import { Command, Option } from 'commander';
import { exampleText } from '../example-text.ts';
import { duration } from '../go-options.ts';

/** How to reach the hub, and how to print the answer. */
export interface MemberOptions {
  readonly kubeconfig?: string;
  readonly context?: string;
  /** Milliseconds. */
  readonly timeout: number;
  readonly output?: 'json';
}

export interface FailOptions extends MemberOptions {
  readonly workloads?: boolean;
  /** `30%`. */
  readonly api?: string;
  readonly agent?: boolean;
  readonly webhook?: boolean;
  /** `+5m`. */
  readonly clock?: string;
}

const defaultTimeoutMs = 10_000;

export function memberCommand(): Command {
  const command = new Command('member')
    .description('Break simulated members of a running fleet on purpose, and repair them.')
    .addHelpText('after', exampleText('flotilla member partition member-1', 'flotilla member start member-1'));
  for (const subcommand of [list, start, stop, partition, slow, fail]) command.addCommand(subcommand());
  return command;
}

function list(): Command {
  return withHub(new Command('list'))
    .description('Print the members of a running fleet and their faults.')
    .addHelpText('after', exampleText('flotilla member list', 'flotilla member list -o json'))
    .action(async (options: MemberOptions) => (await import('../member/members.ts')).listMembers(options));
}

function start(): Command {
  return ofMember('start')
    .description('End all faults of a member, and start it if it is stopped.')
    .addHelpText('after', exampleText('flotilla member start member-1', 'flotilla member start member-1 --timeout 1m'))
    .action(async (name: string, options: MemberOptions) => {
      await (await import('../member/members.ts')).startMember(name, options);
    });
}

function stop(): Command {
  return ofMember('stop')
    .description('Stop the API server, the workloads and the agent of a member. Its objects stay.')
    .addHelpText(
      'after',
      exampleText('flotilla member stop member-1', 'flotilla member stop member-1 --kubeconfig .data/shop/kubeconfig'),
    )
    .action((name: string, options: MemberOptions) => add(name, 'stop', options));
}

function partition(): Command {
  return ofMember('partition')
    .description('Cut the network between the agent of a member and the hub.')
    .addHelpText(
      'after',
      exampleText('flotilla member partition member-1', 'flotilla member partition member-1 -o json'),
    )
    .action((name: string, options: MemberOptions) => add(name, 'partition', options));
}

function slow(): Command {
  return ofMember('slow')
    .description('Delay each request between the agent of a member and the hub.')
    .argument('<delay>', 'time that each request takes longer: 300ms, 2s')
    .addHelpText('after', exampleText('flotilla member slow member-1 300ms', 'flotilla member slow member-1 2s'))
    .action((name: string, delay: string, options: MemberOptions) => add(name, `slow ${delay}`, options));
}

function fail(): Command {
  return ofMember('fail')
    .description('Make a part of a member fail: its workloads, or what the options name.')
    .option('--workloads', 'pods are not ready (default if no other option is given)')
    .option('--api <percent>', 'answer a share of the requests to its API server with errors: 30%')
    .option('--agent', 'crash the agent again and again')
    .option('--webhook', 'let an admission webhook refuse to create and update objects')
    .option('--clock <duration>', 'let its clock be wrong: +5m, -90s')
    .addHelpText(
      'after',
      exampleText('flotilla member fail member-1', 'flotilla member fail member-1 --api 30% --clock +5m'),
    )
    .action((name: string, options: FailOptions) => add(name, failuresIn(options), options));
}

/** As faults are written in the ConfigMap `flotilla-faults`. */
function failuresIn({ workloads, api, agent, webhook, clock }: FailOptions): string {
  const failures = [
    ...(api === undefined ? [] : [`fail api ${api}`]),
    ...(agent ? ['fail agent'] : []),
    ...(webhook ? ['fail webhook'] : []),
    ...(clock === undefined ? [] : [`fail clock ${clock}`]),
  ];
  return [...(workloads || failures.length === 0 ? ['fail workloads'] : []), ...failures].join(', ');
}

async function add(name: string, faults: string, options: MemberOptions): Promise<void> {
  const { addFaults } = await import('../member/members.ts');
  await addFaults(name, faults, options);
}

function ofMember(name: string): Command {
  return withHub(new Command(name).argument('<cluster>', 'name of the member'));
}

function withHub(command: Command): Command {
  return command
    .option('--kubeconfig <file>', "kubeconfig of the hub (default: that of flotilla up here, then kubectl's)")
    .option('--context <name>', 'context of the hub (default: the current one)')
    .addOption(
      duration('--timeout', 'time to wait until the fault is in force', { from: 1000, to: 600_000 }).default(
        defaultTimeoutMs,
        '10s',
      ),
    )
    .addOption(new Option('-o, --output <format>', 'output format').choices(['json']));
}
