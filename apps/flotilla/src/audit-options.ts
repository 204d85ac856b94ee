/** Turns the flags of the audit log into options of a server. Loaded only if there is a policy. */
import { findAccess, httpTransport } from '@flotilla/client';
import {
  ConfigurationError,
  logBackend,
  readAuditPolicy,
  RotatingFile,
  truncatingBackend,
  webhookBackend,
  type LogOutput,
  type MakeBackend,
  type ServerOptions,
} from '@flotilla/fleet/server';
import { BytesBody } from '@flotilla/kube';
import type { AuditFlags } from './audit-flags.ts';
import type { BooleanText } from './go-options.ts';
import { readNamedFile } from './named-file.ts';
import { UserError } from './user-error.ts';

type AuditOptions = NonNullable<ServerOptions['audit']>;

const mebibyte = 1024 * 1024;

/** An event that a receiver does not accept in this time is sent again. */
const postTimeoutMs = 30_000;

export async function auditOptionsIn(policyFile: string, flags: AuditFlags): Promise<AuditOptions> {
  const { auditLogPath, auditWebhookConfigFile } = flags;
  const policy = await policyIn(policyFile);
  const backends: MakeBackend[] = [];
  if (auditLogPath !== undefined) {
    const { auditLogTruncateEnabled: isEnabled } = flags;
    const { auditLogTruncateMaxEventSize: maxEvent, auditLogTruncateMaxBatchSize: maxBatch } = flags;
    backends.push(truncated(logOf(auditLogPath, flags), 'log', { isEnabled, maxEvent, maxBatch }));
  }
  if (auditWebhookConfigFile !== undefined) {
    const { auditWebhookTruncateEnabled: isEnabled } = flags;
    const { auditWebhookTruncateMaxEventSize: maxEvent, auditWebhookTruncateMaxBatchSize: maxBatch } = flags;
    const webhook = await webhookOf(auditWebhookConfigFile, flags);
    backends.push(truncated(webhook, 'webhook', { isEnabled, maxEvent, maxBatch }));
  }
  return { policy, backends };
}

interface Truncation {
  readonly isEnabled: BooleanText;
  readonly maxEvent: number;
  readonly maxBatch: number;
}

/** Events reach a backend one at a time, as in kube-apiserver, so that a limit of the batch adds nothing to that of the event. */
function truncated(backend: MakeBackend, name: string, { isEnabled, maxEvent, maxBatch }: Truncation): MakeBackend {
  const flag = `--audit-${name}-truncate-max`;
  if (maxEvent === 0) throw new UserError(`${flag}-event-size must be a positive number.`);
  if (maxBatch < maxEvent) throw new UserError(`${flag}-batch-size must not be less than ${flag}-event-size.`);
  return isEnabled === 'true' ? truncatingBackend(backend, maxEvent) : backend;
}

async function policyIn(file: string): Promise<AuditOptions['policy']> {
  const content = await readNamedFile(file);
  try {
    return readAuditPolicy(content);
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    throw new UserError(`${file}: ${error.message}.`, { cause: error });
  }
}

function logOf(path: string, flags: AuditFlags): MakeBackend {
  const { auditLogFormat: format, auditLogMode: mode, auditLogBatchBufferSize: maxBuffered } = flags;
  return (dependencies) => {
    const { clock, logger } = dependencies;
    const open = (): LogOutput =>
      path === '-'
        ? standardOutput
        : new RotatingFile({
            path,
            maxBytes: flags.auditLogMaxsize * mebibyte,
            maxBackups: flags.auditLogMaxbackup,
            maxAgeDays: flags.auditLogMaxage,
            compress: flags.auditLogCompress === 'true',
            now: () => new Date(clock.now()),
            failed: (error) => logger.warn('cannot tidy old audit logs', { path, error }),
          });
    return logBackend({ open, format, mode, maxBuffered })(dependencies);
  };
}

const standardOutput: LogOutput = {
  write: (text) => void process.stdout.write(text),
  append: (text) => new Promise((resolve) => process.stdout.write(text, () => resolve())),
  close: () => Promise.resolve(),
};

/** The kubeconfig says where the receiver is and how to authenticate; events go to the URL itself. */
async function webhookOf(kubeconfig: string, flags: AuditFlags): Promise<MakeBackend> {
  const access = await findAccess({ kubeconfig, environment: process.env });
  const transport = httpTransport(access.transport);
  const post = async (body: Uint8Array): Promise<void> => {
    const { status, body: answer } = await transport.send({
      method: 'POST',
      path: '',
      query: '',
      headers: { 'content-type': 'application/json', accept: 'application/json', 'user-agent': 'flotilla' },
      body: new BytesBody(body),
      signal: AbortSignal.timeout(postTimeoutMs),
    });
    await answer[Symbol.asyncIterator]().return?.();
    if (status < 200 || status > 299) throw new Error(`the receiver answered with the status ${status}`);
  };
  const isThrottled = flags.auditWebhookBatchThrottleEnable === 'true';
  return webhookBackend({
    post,
    mode: flags.auditWebhookMode,
    initialBackoffMs: flags.auditWebhookInitialBackoff,
    batch: {
      maxBuffered: flags.auditWebhookBatchBufferSize,
      maxBatch: flags.auditWebhookBatchMaxSize,
      maxWaitMs: flags.auditWebhookBatchMaxWait,
      throttle: isThrottled
        ? { perSecond: flags.auditWebhookBatchThrottleQps, burst: flags.auditWebhookBatchThrottleBurst }
        : undefined,
    },
  });
}
