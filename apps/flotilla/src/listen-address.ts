import { UserError } from './user-error.ts';

/** `:8081`, `127.0.0.1:8081`, `[::1]:8081`. */
export function parseAddress(address: string): { readonly host: string; readonly port: number } {
  const [, host = '', port = ''] = /^(.*):(\d+)$/.exec(address) ?? [];
  if (port === '' || Number(port) > 65_535)
    throw new UserError(`${address} is not an address to listen on; write :8081 or 127.0.0.1:8081.`);
  return { host: host.replace(/^\[(.*)\]$/, '$1'), port: Number(port) };
}

export function listenFault(address: string, error: NodeJS.ErrnoException): UserError {
  const reason = error.code === 'EADDRINUSE' ? 'it is in use' : error.message;
  return new UserError(`cannot listen on ${address}: ${reason}.`, { cause: error });
}
