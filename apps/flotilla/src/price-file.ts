import { readFile, stat } from 'node:fs/promises';
import { JsonError, parseYaml, YamlError } from '@flotilla/kube';
import { parsePriceTable, PriceTableError, type PriceSource, type PriceTable } from '@flotilla/member';

/** A price table in a file, read again when the file has changed. */
export function priceFile(file: string): PriceSource {
  let cached: { readonly changedAt: number; readonly table: PriceTable } | undefined;
  return {
    current: async () => {
      try {
        const { mtimeMs } = await stat(file);
        if (cached?.changedAt !== mtimeMs) cached = { changedAt: mtimeMs, table: await read(file, new Date(mtimeMs)) };
        return cached.table;
      } catch (error) {
        throw explainPriceError(error);
      }
    },
  };
}

async function read(file: string, changedAt: Date): Promise<PriceTable> {
  return parsePriceTable(parseYaml(await readFile(file, 'utf8')).value, changedAt);
}

function explainPriceError(error: unknown): unknown {
  const isUserError = error instanceof YamlError || error instanceof JsonError || 'code' in (error as object);
  return isUserError ? new PriceTableError((error as Error).message, { cause: error }) : error;
}
