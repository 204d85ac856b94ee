import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ClusterProvider, CostProvider, PriceTableError, type PropertyProvider } from '@flotilla/member';
import { priceFile } from '../price-file.ts';
import { UserError } from '../user-error.ts';
import type { ProviderFlags } from './agent-flags.ts';

/** The property provider with a name of ours, or from a module. Undefined for `none`: the agent counts nodes and pods itself. */
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
    throw new UserError(`--price-table ${String(priceTable)}: ${error.message}.`, { cause: error });
  }
  return { reportsCosts: useCostPropertiesInAzureProvider === 'true', region, prices };
}

/** `name` is a file, or a package that resolves from the working directory. */
async function importProvider(name: string): Promise<PropertyProvider> {
  const isFile = /^[./]|^[A-Za-z]:[\\/]/.test(name);
  try {
    const file = isFile ? resolve(name) : createRequire(resolve('agent.js')).resolve(name);
    const provider = (await import(pathToFileURL(file).href)) as Partial<PropertyProvider>;
    if (isProvider(provider)) return provider;
  } catch (error) {
    throw new UserError(`cannot load the property provider ${name}: ${(error as Error).message}.`, { cause: error });
  }
  throw new UserError(`${name} is not a property provider: it must export start and collect.`);
}

function isProvider(provider: Partial<PropertyProvider>): provider is PropertyProvider {
  return typeof provider.start === 'function' && typeof provider.collect === 'function';
}
