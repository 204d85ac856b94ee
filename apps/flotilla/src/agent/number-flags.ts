/** Flags that take a number. Names, ranges and defaults are those of KubeFleet's member agent. */
import { InvalidArgumentError, Option, type Command } from 'commander';

interface NumberFlag {
  readonly flag: string;
  readonly about: string;
  readonly defaultValue?: number;
  readonly isWhole?: boolean;
  readonly from?: number;
  /** Excludes `from` itself. */
  readonly isAbove?: boolean;
  readonly to?: number;
  /** Also allows any negative number, which means no limit. */
  readonly mayBeUnlimited?: boolean;
}

const retries = '--work-applier-requeue-rate-limiter';

const flags: readonly NumberFlag[] = [
  {
    flag: '--hub-api-qps',
    about: 'requests per second to the hub; a negative number means no limit',
    from: 10,
    to: 1000,
    mayBeUnlimited: true,
  },
  { flag: '--hub-api-burst', about: 'requests to the hub in one burst', isWhole: true, from: 10, to: 2000 },
  {
    flag: '--member-api-qps',
    about: 'requests per second to the member; a negative number means no limit',
    from: 10,
    to: 10_000,
    mayBeUnlimited: true,
  },
  { flag: '--member-api-burst', about: 'requests to the member in one burst', isWhole: true, from: 10, to: 20_000 },
  {
    flag: '--deletion-wait-time',
    about: 'minutes until a deletion on the member is reported as stuck',
    defaultValue: 5,
    isWhole: true,
    from: 1,
    to: 60,
  },
  {
    flag: `${retries}-attempts-with-fixed-delay`,
    about: 'requeues of a Work with the fixed delay',
    defaultValue: 1,
    isWhole: true,
    from: 1,
    to: 40,
  },
  {
    flag: `${retries}-fixed-delay-seconds`,
    about: 'the fixed delay',
    defaultValue: 5,
    isWhole: true,
    from: 2,
    to: 300,
  },
  {
    flag: `${retries}-exponential-base-for-slow-backoff`,
    about: 'factor of the slow backoff',
    defaultValue: 1.2,
    from: 1.05,
    to: 2,
  },
  {
    flag: `${retries}-initial-slow-backoff-delay-seconds`,
    about: 'first delay of the slow backoff',
    defaultValue: 2,
    isWhole: true,
    from: 2,
  },
  {
    flag: `${retries}-max-slow-backoff-delay-seconds`,
    about: 'longest delay of the slow backoff',
    defaultValue: 15,
    isWhole: true,
    from: 2,
  },
  {
    flag: `${retries}-exponential-base-for-fast-backoff`,
    about: 'factor of the fast backoff',
    defaultValue: 1.5,
    from: 1,
    isAbove: true,
    to: 2,
  },
  {
    flag: `${retries}-max-fast-backoff-delay-seconds`,
    about: 'longest delay of the fast backoff',
    defaultValue: 900,
    isWhole: true,
    from: 0,
    isAbove: true,
    to: 3600,
  },
  {
    flag: '--work-applier-priority-linear-equation-coeff-a',
    about: 'change of the priority of a healthy Work for each minute of age',
    defaultValue: -3,
    isWhole: true,
    from: -100,
    to: -1,
  },
  {
    flag: '--work-applier-priority-linear-equation-coeff-b',
    about: 'priority of a change to a healthy Work that is new',
    defaultValue: 100,
    isWhole: true,
    from: 1,
    to: 1000,
  },
];

export function addNumberFlags(command: Command): void {
  for (const each of flags) command.addOption(optionOf(each));
}

function optionOf(flag: NumberFlag): Option {
  const option = new Option(`${flag.flag} <n>`, flag.about)
    .argParser((text) => numberIn(text, flag))
    .hideHelp(flag.flag.startsWith('--work-applier'));
  return flag.defaultValue === undefined ? option : option.default(flag.defaultValue);
}

function numberIn(text: string, flag: NumberFlag): number {
  const { isWhole = false, from = -Infinity, isAbove = false, to = Infinity, mayBeUnlimited = false } = flag;
  const number = /^[+-]?\d+(?:\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
  if (mayBeUnlimited && number < 0) return -1;
  const isInside = number <= to && (isAbove ? number > from : number >= from);
  if (isInside && (Number.isInteger(number) || !isWhole)) return number;
  throw new InvalidArgumentError(`It must be ${isWhole ? 'a whole number' : 'a number'}${rangeInWords(flag)}.`);
}

function rangeInWords({ from, isAbove = false, to, mayBeUnlimited = false }: NumberFlag): string {
  const lower = from === undefined ? '' : isAbove ? ` above ${from}` : ` from ${from}`;
  const upper = to === undefined ? ' on' : isAbove ? ` and at most ${to}` : ` to ${to}`;
  return `${lower}${upper}${mayBeUnlimited ? ', or negative for no limit' : ''}`;
}
