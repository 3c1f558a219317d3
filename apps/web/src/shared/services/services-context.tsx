import { createContext, use } from 'react';
import type { AppServices } from './services.ts';

export const ServicesContext = createContext<AppServices | undefined>(undefined);

export function useServices(): AppServices {
  const services = use(ServicesContext);
  if (!services) throw new Error('useServices is called outside of ServicesContext');
  return services;
}
