import mpf

m: mpf.Network = mpf.read("alarm.bif")
t = m.posterior("HYPOVOLEMIA", given={"BP": "LOW"})
p: float = t["TRUE"]
