export function Weather(city: string) {
  return { city, sky: city === 'Ulm' ? 'fog' : 'sun' }
}
