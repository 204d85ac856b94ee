import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ClusterProvider, CostProvider, PriceTableError, type PropertyProvider } from '@flotilla/member';
import { UserFault } from '../user-error.ts';
import type { ProviderFlags } from './agent-flags.ts';
import { priceFile } from './price-file.ts';

/** Who knows the member's properties, by the name of one of ours or as a module; undefined: the agent counts itself. */
export async function loadProvider(flags: ProviderFlags, authority?: string): Promise<PropertyProvider | undefined> {
  const options = {
    countsAvailable: flags.useAvailableResPropertiesInAzureProvider === 'true',
    reportsNamespaces: flags.enableNamespaceCollectionInPropertyProvider === 'true',
    authority,
  };
  switch (flags.propertyProvider) {
    case 'none':
    case '':
      return undefined;
    case 'default':
      return new ClusterProvider(options);
    case 'azure':
      return new CostProvider({ ...options, ...(await costOptions(flags)) });
    default:
      return importProvider(flags.propertyProvider);
  }
}

async function costOptions({ useCostPropertiesInAzureProvider, region, priceTable }: ProviderFlags) {
  const prices = priceTable === undefined ? undefined : priceFile(resolve(priceTable));
  try {
    await prices?.current();
  } catch (error) {
    if (!(error instanceof PriceTableError)) throw error;
    throw new UserFault(`--price-table ${String(priceTable)}: ${error.message}.`, { cause: error });
  }
  return { reportsCosts: useCostPropertiesInAzureProvider === 'true', region, prices };
}

/** A file, or a package that is installed where the agent was started. */
async function importProvider(name: string): Promise<PropertyProvider> {
  const isFile = /^[./]|^[A-Za-z]:[\\/]/.test(name);
  try {
    const file = isFile ? resolve(name) : createRequire(resolve('agent.js')).resolve(name);
    const provider = (await import(pathToFileURL(file).href)) as Partial<PropertyProvider>;
    if (isProvider(provider)) return provider;
  } catch (error) {
    throw new UserFault(`cannot load the property provider ${name}: ${(error as Error).message}.`, { cause: error });
  }
  throw new UserFault(`${name} is no property provider: it does not export start and collect.`);
}

function isProvider(provider: Partial<PropertyProvider>): provider is PropertyProvider {
  return typeof provider.start === 'function' && typeof provider.collect === 'function';
}
