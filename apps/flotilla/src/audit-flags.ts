/** Options of the audit log, named as kube-apiserver names them. */
import { InvalidArgumentError, Option, type Command } from 'commander';
import { booleanOption, duration, type BooleanText } from './go-options.ts';

type AuditMode = 'batch' | 'blocking' | 'blocking-strict';

export interface AuditFlags {
  readonly auditPolicyFile?: string;
  readonly auditLogPath?: string;
  readonly auditLogFormat: 'json' | 'legacy';
  readonly auditLogMaxsize: number;
  readonly auditLogMaxbackup: number;
  readonly auditLogMaxage: number;
  readonly auditLogCompress: BooleanText;
  readonly auditLogMode: AuditMode;
  readonly auditLogBatchBufferSize: number;
  readonly auditLogTruncateEnabled: BooleanText;
  readonly auditLogTruncateMaxBatchSize: number;
  readonly auditLogTruncateMaxEventSize: number;
  readonly auditWebhookConfigFile?: string;
  readonly auditWebhookMode: AuditMode;
  readonly auditWebhookInitialBackoff: number;
  readonly auditWebhookBatchBufferSize: number;
  readonly auditWebhookBatchMaxSize: number;
  readonly auditWebhookBatchMaxWait: number;
  readonly auditWebhookBatchThrottleEnable: BooleanText;
  readonly auditWebhookBatchThrottleQps: number;
  readonly auditWebhookBatchThrottleBurst: number;
  readonly auditWebhookTruncateEnabled: BooleanText;
  readonly auditWebhookTruncateMaxBatchSize: number;
  readonly auditWebhookTruncateMaxEventSize: number;
}

/** Only these two are shown in the help; docs/audit.md has all. */
export function addAuditFlags(command: Command): Command {
  const modes = ['batch', 'blocking', 'blocking-strict'];
  const hidden = [
    new Option('--audit-log-format <format>').choices(['json', 'legacy']).default('json'),
    count('--audit-log-maxsize', 100),
    count('--audit-log-maxbackup', 100),
    count('--audit-log-maxage', 366),
    booleanOption('--audit-log-compress', '', 'false'),
    new Option('--audit-log-mode <mode>').choices(modes).default('blocking'),
    positive('--audit-log-batch-buffer-size', 10_000),
    ...truncation('log'),
    new Option('--audit-webhook-config-file <file>'),
    new Option('--audit-webhook-mode <mode>').choices(modes).default('batch'),
    duration('--audit-webhook-initial-backoff', '', { from: 0, to: hourMs }).default(10_000),
    positive('--audit-webhook-batch-buffer-size', 10_000),
    positive('--audit-webhook-batch-max-size', 400),
    duration('--audit-webhook-batch-max-wait', '', { from: 0, to: hourMs }).default(30_000),
    booleanOption('--audit-webhook-batch-throttle-enable', '', 'true'),
    positive('--audit-webhook-batch-throttle-qps', 10),
    positive('--audit-webhook-batch-throttle-burst', 15),
    ...truncation('webhook'),
  ];
  command
    .option('--audit-policy-file <file>', 'requests to record: a Policy of audit.k8s.io/v1')
    .option('--audit-log-path <file>', 'file to record requests in; - means standard output');
  for (const option of hidden) command.addOption(option.hideHelp());
  return command;
}

const hourMs = 3_600_000;

function truncation(backend: 'log' | 'webhook'): Option[] {
  return [
    booleanOption(`--audit-${backend}-truncate-enabled`, '', 'false'),
    count(`--audit-${backend}-truncate-max-batch-size`, 10 * 1024 * 1024),
    count(`--audit-${backend}-truncate-max-event-size`, 100 * 1024),
  ];
}

function count(flag: string, byDefault: number): Option {
  return new Option(`${flag} <n>`).default(byDefault).argParser((text) => {
    if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('It must be a whole number that is not negative.');
    return Number(text);
  });
}

function positive(flag: string, byDefault: number): Option {
  return new Option(`${flag} <n>`).default(byDefault).argParser((text) => {
    const value = Number(text);
    if (!/^\d{1,9}(\.\d+)?$/.test(text) || value <= 0) throw new InvalidArgumentError('It must be a positive number.');
    return value;
  });
}
