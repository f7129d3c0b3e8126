/** Its user name and password are what they are once decoded. */
export const isDecodable = ({ username, password }: URL): boolean => {
  try {
    return decodeURIComponent(username + password) !== null
  } catch {
    return false
  }
}

/** The number of a database of Redis. Of any other text its client makes NaN, and ends the process. */
const DATABASE = /^\d{1,9}$/

/** Why no client of Redis takes this URL; null: it does. Without a word of the URL, which may hold a password. */
export const redisUrlFault = (text: string): string | null => {
  const url = URL.parse(text)
  if (!url || !isDecodable(url)) return 'is no URL: percent-encode special characters of the password, such as / as %2F'
  const databases = [url.pathname.slice(1) || '0', ...url.searchParams.getAll('db')]
  return databases.every((name) => DATABASE.test(name))
    ? null
    : 'names no database: the path is the number of a database, such as /0'
}
