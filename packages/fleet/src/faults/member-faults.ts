/** The faults of a member, and the text that names them: `partition, slow 300ms, fail api 30%`. */
import { errorMessage, formatGoDuration, parseGoDuration, quote } from '@flotilla/kube';

/** What is wrong with a member on purpose. */
export interface MemberFaults {
  /** API server, simulator and agent are stopped. The data stays. */
  readonly isStopped: boolean;
  /** Agent and hub cannot reach each other. */
  readonly isPartitioned: boolean;
  /** Each request of the agent to the hub takes that much longer, and so does each change on its way to the agent. */
  readonly delayMs: number;
  /** The pods of workloads are not ready. */
  readonly workloadsFail: boolean;
  /** Share of the requests to the member's API server that fail, in [0, 1]. */
  readonly failureRate: number;
  /** The agent crashes soon after each start. */
  readonly agentCrashes: boolean;
  /** An admission webhook refuses to create and update objects. */
  readonly webhookRefuses: boolean;
  /** How far the clock of API server, simulator and agent is ahead. Negative: behind. */
  readonly clockShiftMs: number;
}

export const noFaults: MemberFaults = {
  isStopped: false,
  isPartitioned: false,
  delayMs: 0,
  workloadsFail: false,
  failureRate: 0,
  agentCrashes: false,
  webhookRefuses: false,
  clockShiftMs: 0,
};

/** The text of a member without faults. */
const noFaultsText = 'none';

/** A text that names no faults. The message is a sentence without a full stop. */
export class InvalidFaults extends Error {
  override readonly name = 'InvalidFaults';
}

/** The text comes from an object that users write. */
const maxTextLength = 500;

const maxDelayMs = 10 * 60_000;
const maxShiftMs = 366 * 24 * 3_600_000;

const known =
  'stop, partition, slow DURATION, fail workloads, fail api PERCENT, fail agent, fail webhook, fail clock DURATION';

/** Commas or line breaks separate faults. Throws `InvalidFaults`. */
export function parseFaults(text: string): MemberFaults {
  if (text.length > maxTextLength) throw new InvalidFaults(`the text is longer than ${maxTextLength} characters`);
  const parts = text.split(/[,\n]/).map((part) => part.trim().split(/\s+/));
  return parts.reduce((faults, words) => ({ ...faults, ...faultIn(words) }), noFaults);
}

/** The shortest text of these faults, always in the same order. */
export function printFaults(faults: MemberFaults): string {
  const { isStopped, isPartitioned, delayMs, workloadsFail, failureRate, agentCrashes, webhookRefuses, clockShiftMs } =
    faults;
  const parts = [
    isStopped && 'stop',
    isPartitioned && 'partition',
    delayMs > 0 && `slow ${durationText(delayMs)}`,
    workloadsFail && 'fail workloads',
    failureRate > 0 && `fail api ${percentText(failureRate)}`,
    agentCrashes && 'fail agent',
    webhookRefuses && 'fail webhook',
    clockShiftMs !== 0 && `fail clock ${clockShiftMs > 0 ? '+' : ''}${durationText(clockShiftMs)}`,
  ].filter((part) => part !== false);
  return parts.join(', ') || noFaultsText;
}

function faultIn(words: readonly string[]): Partial<MemberFaults> {
  const [verb = '', ...rest] = words;
  if ((verb === '' || verb === noFaultsText) && rest.length === 0) return {};
  if (verb === 'stop' && rest.length === 0) return { isStopped: true };
  if (verb === 'partition' && rest.length === 0) return { isPartitioned: true };
  if (verb === 'slow' && rest.length === 1) return { delayMs: delayIn(rest[0]) };
  return verb === 'fail' ? failureIn(rest, words) : unknown(words);
}

function failureIn([part, value, ...rest]: readonly string[], words: readonly string[]): Partial<MemberFaults> {
  if (rest.length > 0) return unknown(words);
  if (part === 'api' && value !== undefined) return { failureRate: rateIn(value) };
  if (part === 'clock' && value !== undefined) return { clockShiftMs: shiftIn(value) };
  if (value !== undefined) return unknown(words);
  if (part === undefined || part === 'workloads') return { workloadsFail: true };
  if (part === 'agent') return { agentCrashes: true };
  return part === 'webhook' ? { webhookRefuses: true } : unknown(words);
}

function unknown(words: readonly string[]): never {
  throw new InvalidFaults(`${quote(words.join(' '))} is not a fault; the faults are: ${known}`);
}

function delayIn(text = ''): number {
  const delayMs = millisecondsIn(text);
  if (delayMs > 0 && delayMs <= maxDelayMs) return delayMs;
  throw new InvalidFaults(`a delay of ${text} is not between 1ms and ${durationText(maxDelayMs)}`);
}

function shiftIn(text: string): number {
  const shiftMs = millisecondsIn(text);
  if (Math.abs(shiftMs) <= maxShiftMs) return shiftMs;
  throw new InvalidFaults(`a clock cannot be wrong by ${text}; the limit is ${durationText(maxShiftMs)}`);
}

/** `30%`, `0.5%`. */
function rateIn(text: string): number {
  const [, number] = /^(\d{1,3}(?:\.\d{1,3})?)%$/.exec(text) ?? [];
  const percent = Number(number ?? Number.NaN);
  if (percent >= 0 && percent <= 100) return percent / 100;
  throw new InvalidFaults(`${quote(text)} is not a share of requests; write for instance 30%`);
}

function percentText(rate: number): string {
  return `${Number((rate * 100).toFixed(3))}%`;
}

function millisecondsIn(text: string): number {
  try {
    return Math.round(Number(parseGoDuration(text)) / 1e6);
  } catch (error) {
    throw new InvalidFaults(`${errorMessage(error)}; write for instance 300ms, 90s or 5m`);
  }
}

/** `5m` instead of Go's `5m0s`, which is as valid. */
function durationText(milliseconds: number): string {
  const text = formatGoDuration(BigInt(milliseconds) * 1_000_000n);
  return text.replace(/(?<=m)0s$/, '').replace(/(?<=h)0m$/, '');
}
