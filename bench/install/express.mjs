// The reference: Express as it comes, and one answer. Beside the packages, where Node strips no types.
import express from 'express'

const app = express()
app.get('/readyz', (_req, res) => void res.json({ status: 'ready' }))
app.listen(Number(process.env.PORT), '127.0.0.1')
