/** How long a backend's jobs run, in seconds: the cases that the goals are set for. */
export interface Distribution {
  readonly name: string
  /** A draw, from a source of numbers in [0, 1). */
  draw(random: () => number): number
  /** The part of the jobs that run at most `seconds`. */
  cdf(seconds: number): number
}

const normal = (random: () => number): number =>
  Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())

/** Φ, by the complementary error function's rational Chebyshev fit (Numerical Recipes, 2nd ed., 6.2): 1.2e-7. */
const phi = (x: number): number => {
  const z = Math.abs(x) / Math.SQRT2
  const t = 1 / (1 + 0.5 * z)
  const poly = [
    0.17087277, -0.82215223, 1.48851587, -1.13520398, 0.27886807, -0.18628806, 0.09678418, 0.37409196, 1.00002368,
    -1.26551223,
  ].reduce((sum, term) => sum * t + term, 0)
  const erfc = t * Math.exp(-z * z + poly)
  return x >= 0 ? 1 - erfc / 2 : erfc / 2
}

export const logNormal = (medianS: number, sigma: number): Distribution => ({
  name: `log-normal ${medianS} s, σ ${sigma}`,
  draw: (random) => medianS * Math.exp(sigma * normal(random)),
  cdf: (seconds) => (seconds <= 0 ? 0 : phi(Math.log(seconds / medianS) / sigma)),
})

/** Two kinds of job, half and half. */
export const mixed = (name: string, a: Distribution, b: Distribution): Distribution => ({
  name,
  draw: (random) => (random() < 0.5 ? a : b).draw(random),
  cdf: (seconds) => (a.cdf(seconds) + b.cdf(seconds)) / 2,
})

/** The same jobs, `factor` times as fast. */
export const faster = ({ name, draw, cdf }: Distribution, factor: number): Distribution => ({
  name: `${name}, ${factor}× faster`,
  draw: (random) => draw(random) / factor,
  cdf: (seconds) => cdf(seconds * factor),
})
